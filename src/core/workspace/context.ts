import { join } from 'node:path';
import { type Disk, readIfThere } from '#core/storage/disk';

/** The claims that the default context shows: those of `contexts/default.json`, where it was ever changed. */
export function visibleClaims(disk: Disk, vmark: string): readonly string[] {
  try {
    const manifest = JSON.parse(readIfThere(disk, join(vmark, 'contexts', 'default.json'))?.toString('utf8') ?? '{}') as Record<
      string,
      unknown
    >;
    const { visible_claims: claims } = manifest;
    return Array.isArray(claims) ? claims.filter((claim): claim is string => typeof claim === 'string') : [];
  } catch {
    // A manifest that cannot be read shows no claims; checks made under it are then not live.
    return [];
  }
}
