type Mermaid = typeof import('mermaid')['default'];

/** A diagram as it was drawn: the address of its picture and its size in pixels, or why it could not be drawn. */
export type Diagram = { readonly source: string; readonly width: number; readonly height: number } | { readonly problem: string };

const drawings = new Map<string, Promise<Diagram>>();
const kept = 60;
/** One after another: the program that draws has one state. */
let turn: Promise<unknown> = Promise.resolve();
let count = 0;

/** A set of colours. */
export type Theme = 'light' | 'dark';

/** The colours that the page has now. */
export function pageTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  if (theme === 'light' || theme === 'dark') return theme;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** How what is drawn in the colours of the page is drawn anew, by the element that shows it. */
const redraws = new Map<HTMLElement, () => void>();
let isFollowing = false;

/** Draws what an element shows anew whenever the page gets other colours, as long as the element is in it. */
export function followTheme(shown: HTMLElement, draw: () => void): void {
  redraws.set(shown, draw);
  if (isFollowing) return;
  isFollowing = true;
  const redraw = () => {
    for (const [element, draw] of redraws) {
      if (element.isConnected) draw();
      else redraws.delete(element);
    }
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  new MutationObserver(redraw).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
}

/** Leaves an element as it is. */
export const forgetTheme = (shown: HTMLElement): void => void redraws.delete(shown);

/** Draws the text of a diagram in the colours of a theme. */
export function diagramOf(code: string, theme: Theme = pageTheme()): Promise<Diagram> {
  const key = `${theme} ${code}`;
  const known = drawings.get(key);
  if (known !== undefined) return known;
  const asked = turn.then(() => draw(code, theme)).catch((error: unknown): Diagram => ({ problem: firstLine(error) }));
  turn = asked;
  drawings.set(key, asked);
  if (drawings.size > kept) drawings.delete(drawings.keys().next().value!);
  return asked;
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;

async function draw(code: string, theme: Theme): Promise<Diagram> {
  const { default: mermaid } = await import('mermaid');
  settle(mermaid, theme);
  const { svg } = await mermaid.render(`diagram-${++count}`, code);
  return pictureOf(svg);
}

/** A document is data: no script, no link, no markup in labels, and no setting of its own that would allow any. */
function settle(mermaid: Mermaid, theme: Theme): void {
  const colour = tokens(theme);
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    secure: ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'htmlLabels', 'themeCSS', 'fontFamily'],
    maxTextSize: 50_000,
    suppressErrorRendering: true,
    theme: 'base',
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-ui').replaceAll('"', "'"),
    themeVariables: {
      darkMode: theme === 'dark',
      dropShadow: 'none',
      fontSize: '14px',
      background: colour('--paper'),
      mainBkg: colour('--surface'),
      primaryColor: colour('--surface'),
      primaryTextColor: colour('--ink'),
      primaryBorderColor: colour('--line-strong'),
      secondaryColor: colour('--accent-soft'),
      secondaryTextColor: colour('--ink'),
      tertiaryColor: colour('--raised'),
      tertiaryTextColor: colour('--ink'),
      lineColor: colour('--ink-3'),
      textColor: colour('--ink'),
      edgeLabelBackground: colour('--paper'),
      noteBkgColor: colour('--changed-soft'),
      noteTextColor: colour('--ink'),
      noteBorderColor: colour('--line-strong'),
    },
  });
}

/** The tokens of the page as colours of a theme that can be calculated with. */
function tokens(theme: Theme): (name: string) => string {
  const probe = document.createElement('span');
  probe.style.colorScheme = theme;
  document.body.append(probe);
  return (name) => {
    probe.style.color = `var(${name})`;
    const value = getComputedStyle(probe).color;
    queueMicrotask(() => probe.remove());
    return value;
  };
}

/** The drawing as a picture: what is in a picture runs nothing, loads nothing and reaches nothing of the page. */
function pictureOf(svg: string): Diagram {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (root.nodeName !== 'svg') throw new RangeError('no drawing');
  for (const bad of root.querySelectorAll('script, foreignObject, image, iframe, a')) bad.replaceWith(...bad.childNodes);
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/u).map(Number);
  root.setAttribute('width', String(width));
  root.setAttribute('height', String(height));
  root.style.maxWidth = '';
  const text = new XMLSerializer().serializeToString(root);
  return { source: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, width, height };
}
