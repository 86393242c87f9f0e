declare const brand: unique symbol;

/** A UUID in its written form: lowercase and hyphenated. Made only by the functions here. */
export type Uuid = string & { readonly [brand]: 'Uuid' };

const forms = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /^\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}$/,
  /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /^[0-9a-f]{32}$/,
];

function hyphenated(hex: string): Uuid {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}` as Uuid;
}

/** Reads the hyphenated form, the same in braces or after `urn:uuid:`, or 32 hex digits, in any case; null for all else, spaces included. */
export function parseUuid(text: string): Uuid | null {
  if (forms[0]!.test(text)) return text as Uuid;
  const lower = text.toLowerCase();
  if (!forms.some((form) => form.test(lower))) return null;
  return hyphenated(lower.replace(/^urn:uuid:|[-{}]/g, ''));
}

/** The UUID of version 8 that the first 32 hex digits of a digest give: the same digest, the same idem. */
export function uuidFromHex(hex: string): Uuid {
  const digits = hex.slice(0, 32).toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(digits)) throw new RangeError('BUG: a UUID needs 32 hex digits.');
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return hyphenated(`${digits.slice(0, 12)}8${digits.slice(13, 16)}${variant}${digits.slice(17)}`);
}
