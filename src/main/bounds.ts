/** A rectangle of the screen in device-independent pixels. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest window in which text can still be written. */
export const leastSize = { width: 480, height: 320 } as const;

/**
 * Where a window may stand: the wanted bounds, made small enough for the work area that they cover most of (the first where they cover
 * none) and moved wholly into it. `areas` are the work areas of the displays that are there now; there is at least one.
 */
export function fitBounds(wanted: Bounds, areas: readonly [Bounds, ...Bounds[]]): Bounds {
  const area = areas.reduce((best, next) => (overlap(wanted, next) > overlap(wanted, best) ? next : best));
  const width = clamp(wanted.width, Math.min(leastSize.width, area.width), area.width);
  const height = clamp(wanted.height, Math.min(leastSize.height, area.height), area.height);
  return {
    x: clamp(wanted.x, area.x, area.x + area.width - width),
    y: clamp(wanted.y, area.y, area.y + area.height - height),
    width,
    height,
  };
}

/** Bounds of a size in the middle of a work area. */
export function centred(size: { readonly width: number; readonly height: number }, area: Bounds): Bounds {
  const x = area.x + Math.round((area.width - size.width) / 2);
  const y = area.y + Math.round((area.height - size.height) / 2);
  return fitBounds({ ...size, x, y }, [area]);
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

function overlap(a: Bounds, b: Bounds): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}
