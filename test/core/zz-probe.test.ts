import { expect, it } from 'vitest';
import { createFaultyDisk } from '../helpers/faulty-disk';
import { createTrackingPlace, inputOf, savingFrom, savingOf, recording } from '../helpers/workspace';
it('counts', async () => {
  const place = createTrackingPlace();
  const core = await place.open({ git: false });
  await core.save(savingOf(place, 'source.md', 'source\n'));
  await core.save(savingOf(place, 'a.md', 'one\n'));
  await core.save(savingOf(place, 'b.md', 'one\n'));
  const input = await inputOf(core, 'source.md');
  const faulty = createFaultyDisk();
  const keep = place.keep();
  for (let i = 0; i < 4; i++) {
  const t0 = performance.now();
  const other = await place.open({ disk: faulty.disk, git: false });
  const t1 = performance.now();
  faulty.plan(null);
  const s = await other.save(savingFrom(place, 'a.md', place.text('a.md').replace('one', 'two'), [input]));
  const t2 = performance.now();
  console.log(faulty.calls.length, t1 - t0, t2 - t1);
  if (i === 0) console.log(faulty.calls.map((c) => c.name + ' ' + c.path.replace(place.folder, '').slice(-60)).join('\n'));
  const fresh = await place.open({ git: false });
  const t3 = performance.now();
  await fresh.scan();
  await other.close(); await fresh.close();
  console.log('scan', performance.now() - t3, 'open', t3 - t2);
  const t4 = performance.now();
  keep();
  console.log('restore', performance.now() - t4);
  }
});
