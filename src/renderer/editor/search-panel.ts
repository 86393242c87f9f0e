import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  search,
  setSearchQuery,
} from '@codemirror/search';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view';
import type { Words } from '#protocol/words';

/** Matches beyond this many are not counted. */
const most = 1000;
/** What a search is kept to, mapped through changes; null: the whole document. */
const setScope = StateEffect.define<{ readonly from: number; readonly to: number } | null>({
  map: (scope, changes) => scope && { from: changes.mapPos(scope.from, -1), to: changes.mapPos(scope.to, 1) },
});
const scopeField = StateField.define<{ readonly from: number; readonly to: number } | null>({
  create: () => null,
  update(scope, { changes, effects }) {
    const said = effects.find((effect) => effect.is(setScope));
    if (said !== undefined) return said.value;
    return scope && { from: changes.mapPos(scope.from, -1), to: changes.mapPos(scope.to, 1) };
  },
  provide: (field) =>
    EditorView.decorations.from(field, (scope) =>
      scope === null || scope.from === scope.to
        ? Decoration.none
        : Decoration.set(Decoration.mark({ class: 'cm-search-scope' }).range(scope.from, scope.to)),
    ),
});

function isInScope(_: string, state: EditorState, from: number, to: number): boolean {
  const scope = state.field(scopeField, false) ?? null;
  return scope === null || (from >= scope.from && to <= scope.to);
}

type Switch = 'caseSensitive' | 'wholeWord' | 'regexp';

/** Find and replace in the file: case, word and regular expression, in the whole or in the selection, with a count. `say` words it in the language of the moment it opens. */
export function findPanel(say: Words): Extension {
  return [scopeField, search({ top: true, createPanel: (view) => createPanel(view, say) })];
}

function createPanel(view: EditorView, say: Words): Panel {
  const dom = document.createElement('search');
  dom.className = 'cm-find';
  dom.setAttribute('aria-label', say('find.panel'));
  const find = field(dom, say('find.find'), 'main-field');
  const switches = row(dom);
  const count = document.createElement('output');
  count.className = 'count';
  const commit = () => view.dispatch({ effects: setSearchQuery.of(queryOf()) });
  const pressed: Record<Switch, HTMLButtonElement> = {
    caseSensitive: toggle(switches, 'Aa', say('find.case'), commit),
    wholeWord: toggle(switches, '“ ”', say('find.word'), commit),
    regexp: toggle(switches, '.*', say('find.regexp'), commit),
  };
  const scope = toggle(switches, '[ ]', say('find.in-selection'), () => {
    const { from, to } = view.state.selection.main;
    if (isPressed(scope) && from === to) scope.setAttribute('aria-pressed', 'false');
    view.dispatch({ effects: setScope.of(isPressed(scope) ? { from, to } : null) });
    commit();
    tell();
  });
  scope.setAttribute('aria-pressed', String(view.state.field(scopeField) !== null));
  dom.append(
    count,
    button('✕', say('find.close'), () => void closeSearchPanel(view)),
  );
  const replace = field(dom, say('find.replace'));
  const acts = row(dom);
  acts.style.gridColumn = '2 / -1';
  acts.append(
    button('↑', say('find.previous'), () => void findPrevious(view)),
    button('↓', say('find.next'), () => void findNext(view)),
    button(say('find.replace-one'), null, () => void replaceNext(view)),
    button(say('find.replace-all'), null, () => void replaceAll(view)),
  );
  const queryOf = () =>
    new SearchQuery({
      search: find.value,
      replace: replace.value,
      caseSensitive: isPressed(pressed.caseSensitive),
      wholeWord: isPressed(pressed.wholeWord),
      regexp: isPressed(pressed.regexp),
      test: isInScope,
    });
  const show = (query: SearchQuery) => {
    find.value = query.search;
    replace.value = query.replace;
    for (const name of Object.keys(pressed) as Switch[]) pressed[name].setAttribute('aria-pressed', String(query[name]));
  };
  const tell = () => tellCount(view, find, count, say);
  for (const input of [find, replace]) input.addEventListener('input', commit);
  dom.addEventListener('keydown', (event) => onKey(event, view, find, replace));
  show(getSearchQuery(view.state));
  return {
    dom,
    top: true,
    mount() {
      find.select();
      tell();
    },
    destroy() {
      if (view.state.field(scopeField) !== null) queueMicrotask(() => view.dispatch({ effects: setScope.of(null) }));
    },
    update(update: ViewUpdate) {
      const query = getSearchQuery(update.state);
      if (!query.eq(queryOf())) show(query);
      if (
        update.docChanged ||
        update.selectionSet ||
        update.transactions.some(({ effects }) => effects.some((effect) => effect.is(setSearchQuery)))
      )
        tell();
    },
  };
}

function onKey(event: KeyboardEvent, view: EditorView, find: HTMLInputElement, replace: HTMLInputElement): void {
  const acts = () => {
    if (runScopeHandlers(view, event, 'search-panel')) return true;
    if (event.key !== 'Enter') return false;
    if (event.target === find) return (event.shiftKey ? findPrevious : findNext)(view);
    return event.target === replace && replaceNext(view);
  };
  if (acts()) event.preventDefault();
}

function tellCount(view: EditorView, find: HTMLInputElement, count: HTMLElement, say: Words): void {
  const query = getSearchQuery(view.state);
  find.setAttribute('aria-invalid', String(query.search !== '' && !query.valid));
  if (query.search === '') count.textContent = '';
  else if (!query.valid) count.textContent = say('find.invalid');
  else count.textContent = countWords(view, query, say);
}

function countWords(view: EditorView, query: SearchQuery, say: Words): string {
  const { main } = view.state.selection;
  let total = 0;
  let current = 0;
  const cursor = query.getCursor(view.state);
  for (let next = cursor.next(); !next.done && total < most; next = cursor.next()) {
    total++;
    if (next.value.from === main.from && next.value.to === main.to) current = total;
  }
  if (total === 0) return say('find.none');
  if (total === most) return say('find.many', { total: most });
  return current > 0 ? say('find.at', { current, total }) : say('find.found', { count: total });
}

const isPressed = (control: HTMLElement) => control.getAttribute('aria-pressed') === 'true';

function row(parent: HTMLElement): HTMLElement {
  const element = parent.appendChild(document.createElement('div'));
  element.className = 'row';
  return element;
}

function field(parent: HTMLElement, name: string, main?: 'main-field'): HTMLInputElement {
  const input = parent.appendChild(document.createElement('input'));
  input.setAttribute('aria-label', name);
  input.placeholder = name;
  input.spellcheck = false;
  if (main !== undefined) input.setAttribute(main, 'true');
  return input;
}

function button(text: string, name: string | null, act: () => void): HTMLButtonElement {
  const control = document.createElement('button');
  control.type = 'button';
  control.textContent = text;
  if (name !== null) {
    control.setAttribute('aria-label', name);
    control.title = name;
  }
  control.addEventListener('click', act);
  return control;
}

function toggle(parent: HTMLElement, text: string, name: string, changed: () => void): HTMLButtonElement {
  const control = button(text, name, () => {
    control.setAttribute('aria-pressed', String(!isPressed(control)));
    changed();
  });
  control.setAttribute('aria-pressed', 'false');
  return parent.appendChild(control);
}
