import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWindowState } from '#main/window-state';
import { temporaryFolder } from '../helpers/temporary';

const place = (x: number) => ({ bounds: { x, y: 20, width: 800, height: 600 }, maximized: false });
const stateFile = () => join(temporaryFolder(), 'electron', 'windows.json');

describe('the memory of windows', () => {
  it('gives back what was kept, also to the next start', () => {
    const file = stateFile();
    const state = openWindowState(file);
    state.keepPlacement('editor /book', place(10));
    state.keepFolders(['/book']);
    for (const known of [state, openWindowState(file)]) {
      expect(known.placement('editor /book')).toEqual(place(10));
      expect(known.folders()).toEqual(['/book']);
      expect(known.placement('breakdown /book')).toBeUndefined();
    }
  });

  it.each(['', '{', '[]', '{"version":2}', '{"version":1,"placements":{"a":{"bounds":{"x":1e99}}},"folders":[]}'])(
    'counts a file with %j as nothing, and can be written again',
    (text) => {
      const file = stateFile();
      openWindowState(file).keepFolders(['/book']);
      writeFileSync(file, text);
      const state = openWindowState(file);
      expect(state.folders()).toEqual([]);
      state.keepFolders(['/other']);
      expect(openWindowState(file).folders()).toEqual(['/other']);
    },
  );

  it('forgets the oldest places when there are many', () => {
    const file = stateFile();
    const state = openWindowState(file);
    for (let index = 0; index < 210; index++) state.keepPlacement(`editor /${index}`, place(index));
    expect(state.placement('editor /0')).toBeUndefined();
    expect(state.placement('editor /209')).toEqual(place(209));
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).placements)).toHaveLength(200);
  });

  it('lets a window close where nothing can be written', () => {
    const file = join(temporaryFolder(), 'a-file');
    writeFileSync(file, '');
    const state = openWindowState(join(file, 'windows.json'));
    state.keepFolders(['/book']);
    expect(state.folders()).toEqual(['/book']);
  });
});
