import { strict } from './registry.ts';

/** Displays as `ELECTRON_DOUBLE_DISPLAYS` says (`[{x, y, width, height}, …]`), else one. */
const bounds: Electron.Rectangle[] = JSON.parse(
  process.env.ELECTRON_DOUBLE_DISPLAYS ?? '[{ "x": 0, "y": 0, "width": 1920, "height": 1080 }]',
);
const displays = bounds.map((rectangle, id) =>
  strict('Display', { id, bounds: rectangle, workArea: { ...rectangle, y: rectangle.y + 25, height: rectangle.height - 25 } }),
);

const overlap = (a: Electron.Rectangle, b: Electron.Rectangle) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

/** `screen` (electron.d.ts): displays with a bar of 25 pixels on top, which is no part of the work area. */
export const screen = strict('screen', {
  getPrimaryDisplay: () => displays[0]!,
  getAllDisplays: () => [...displays],
  getDisplayMatching: (rectangle: Electron.Rectangle) =>
    displays.reduce((best, one) => (overlap(rectangle, one.bounds) > overlap(rectangle, best.bounds) ? one : best)),
});
