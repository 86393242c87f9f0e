import { expect, it } from 'vitest';
import { playModel } from '../../helpers/model.ts';

// The same short story in every run; `model.test.ts` and `npm run model` tell others.
it('three clones of two installations say the same when they have met, and none has lost an acknowledged entry', async () => {
  expect(await playModel(8, 5, 8)).toMatchObject({ steps: 8, meetings: 1, acknowledged: expect.any(Number) });
});
