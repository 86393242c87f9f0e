import type { Element, ElementContent, Root, RootContent } from 'hast';

/** Attributes that every element may have, as the tree names them. */
const everywhere = new Set(['id', 'className', 'dir', 'lang', 'title', 'ariaDescribedBy', 'ariaLabelledBy', 'ariaLabel', 'ariaHidden']);

/** Those of single elements. */
const own: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'dataFootnoteRef', 'dataFootnoteBackref'],
  img: ['src', 'alt', 'width', 'height'],
  td: ['colSpan', 'rowSpan', 'style'],
  th: ['colSpan', 'rowSpan', 'scope', 'style'],
  ol: ['start', 'reversed'],
  li: ['value'],
  input: ['type', 'checked', 'disabled'],
  details: ['open'],
  del: ['cite', 'dateTime'],
  ins: ['cite', 'dateTime'],
  q: ['cite'],
  blockquote: ['cite'],
  section: ['dataFootnotes'],
};

/** What elements that HTML has given up have become. */
const renamed: Readonly<Record<string, string>> = { center: 'div', tt: 'code', strike: 's', dir: 'ul' };

/** Elements that stand in one of these parents only; elsewhere they are plain blocks. */
const within: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  dt: ['dl'],
  dd: ['dl'],
  summary: ['details'],
  figcaption: ['figure'],
};

const flow =
  /^(address|article|aside|blockquote|details|div|dl|dd|dt|fieldset|figure|figcaption|footer|h[1-6]|header|hr|li|main|ol|p|pre|section|summary|table|ul)$/u;
const phrasing =
  /^(a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|u|var|p|h[1-6]|pre|summary|dt)$/u;

/**
 * Makes a sanitised tree one that validates: what HTML has given up is written as it is today, attributes stand where they may, and blocks
 * stand in no line of text. Changes the tree in place.
 */
export function keepValid(tree: Root): void {
  tree.children = tree.children.flatMap((node): RootContent[] => (node.type === 'element' ? kept(node, null, false) : [node]));
}

function kept(node: Element, parent: Element | null, isInLine: boolean): ElementContent[] {
  const isCentred = node.tagName === 'center';
  node.tagName = renamed[node.tagName] ?? node.tagName;
  const parents = within[node.tagName];
  if (parents !== undefined && !parents.includes(parent?.tagName ?? '')) node.tagName = 'div';
  // A block in a line of text is a part of that line.
  if (isInLine && flow.test(node.tagName)) node.tagName = 'span';
  align(node, isCentred);
  keepAttributes(node);
  const isLine = isInLine || phrasing.test(node.tagName);
  node.children = node.children.flatMap((child) => (child.type === 'element' ? kept(child, node, isLine) : [child]));
  if (/^(ul|ol)$/u.test(node.tagName)) node.children = node.children.flatMap(asItem);
  return [node];
}

/** A list holds items only. */
function asItem(child: ElementContent): ElementContent[] {
  const isBlank = child.type === 'text' && child.value.trim() === '';
  if (isBlank || child.type === 'comment') return [];
  if (child.type === 'element' && child.tagName === 'li') return [child];
  return [{ type: 'element', tagName: 'li', properties: {}, children: [child] }];
}

function align({ tagName, properties }: Element, isCentred: boolean): void {
  const side = isCentred ? 'center' : String(properties.align ?? '').toLowerCase();
  if (!/^(left|right|center)$/u.test(side)) return;
  if (tagName === 'td' || tagName === 'th') properties.style = `text-align: ${side}`;
  else if (/^(p|div|h[1-6])$/u.test(tagName)) properties.className = [...[properties.className ?? []].flat().map(String), `align-${side}`];
}

function keepAttributes({ tagName, properties }: Element): void {
  const allowed = own[tagName] ?? [];
  for (const [name, value] of Object.entries(properties)) {
    const isKept = everywhere.has(name) || allowed.includes(name);
    const isSize = name === 'width' || name === 'height';
    if (!isKept || value === null || (Array.isArray(value) && value.length === 0) || (isSize && !/^\d+$/u.test(String(value))))
      delete properties[name];
  }
  if (tagName === 'img') properties.alt = String(properties.alt ?? '');
  if (tagName === 'a' && properties.href === undefined) delete properties.dataFootnoteBackref;
}
