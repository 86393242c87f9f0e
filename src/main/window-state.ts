import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const whole = z.int().min(-1_000_000).max(1_000_000);
const placement = z.object({
  bounds: z.object({ x: whole, y: whole, width: whole.min(1), height: whole.min(1) }),
  maximized: z.boolean(),
});
const stored = z.object({
  version: z.literal(1),
  /** By window: the kind and the folder of its workspace. */
  placements: z.record(z.string(), placement),
  /** The folders whose windows were open when the program ended last. */
  folders: z.array(z.string()),
});

/** Where a window stood, in its normal size, and whether it filled the screen. */
export type Placement = z.infer<typeof placement>;
type Stored = z.infer<typeof stored>;

/** What the shell remembers of its windows. It is a convenience: what cannot be read counts as nothing, what cannot be written is let go. */
export interface WindowState {
  placement(key: string): Placement | undefined;
  folders(): readonly string[];
  keepPlacement(key: string, placement: Placement): void;
  keepFolders(folders: readonly string[]): void;
}

/** How many placements are remembered; the oldest are forgotten first. */
const placementsKept = 200;

/** Opens the memory of windows in a file; the file is made by the first thing that is kept. */
export function openWindowState(file: string): WindowState {
  let state = readState(file);
  const keep = (next: Stored) => {
    state = next;
    writeState(file, next);
  };
  return {
    placement: (key) => state.placements[key],
    folders: () => state.folders,
    keepPlacement(key, next) {
      const { [key]: _, ...others } = state.placements;
      const kept = [...Object.entries(others), [key, next] as const].slice(-placementsKept);
      keep({ ...state, placements: Object.fromEntries(kept) });
    },
    keepFolders: (folders) => keep({ ...state, folders: [...folders] }),
  };
}

function readState(file: string): Stored {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { version: 1, placements: {}, folders: [] };
  }
}

function writeState(file: string, state: Stored): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`);
    renameSync(`${file}.new`, file);
  } catch {
    // A full or read-only disk must not keep a window from closing.
  }
}
