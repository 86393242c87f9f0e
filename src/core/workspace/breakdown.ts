import { type BreakdownRequest, createStanding, type Standing } from '#core/workspace/standing-breakdown';
import { type Turns, takeTurns } from '#core/workspace/turns';
import type { Workspace } from '#core/workspace/workspace';
import type { Outputs } from '#protocol';

type Breakdown = Outputs['breakdown'];

/** Every row that the world has moved past, in an order that depends on the workspace only (`spec/interfaces.md` §5). */
export function breakdown(workspace: Workspace, request: BreakdownRequest): Breakdown {
  const steps = createStanding(workspace, request).steps(request);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in turns, so that others are heard meanwhile. */
export async function breakdownInTurns(workspace: Workspace, request: BreakdownRequest, turns: Turns = takeTurns()): Promise<Breakdown> {
  return inTurns(createStanding(workspace, request), request, turns);
}

async function inTurns(standing: Standing, request: BreakdownRequest, turns: Turns): Promise<Breakdown> {
  const steps = standing.steps(request);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await turns.rest();
  }
}

/** How many contexts a breakdown is kept for; the one that was asked for longest ago goes. */
const mostKept = 4;

/** Breakdowns that are kept between answers, each brought up to date when it is asked for. */
export interface KeptBreakdowns {
  /** As `breakdownInTurns`; one with its fresh rows is computed each time. */
  answer(request: BreakdownRequest): Promise<Breakdown>;
}

/** Keeps the breakdowns of one workspace; for one that is asked once `isKept` is false. */
export function keepBreakdowns(workspace: Workspace, isKept: boolean): KeptBreakdowns {
  const kept = new Map<string | undefined, Standing>();
  let turn: Promise<unknown> = Promise.resolve();
  const standingFor = ({ context, all }: BreakdownRequest): Standing => {
    const standing = kept.get(context) ?? createStanding(workspace, { context, all });
    kept.delete(context);
    kept.set(context, standing);
    for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest);
    return standing;
  };
  return {
    answer(request) {
      if (!isKept || request.all) return breakdownInTurns(workspace, request);
      // Two at once would each take half of what changed.
      const answered = turn.then(() => inTurns(standingFor(request), request, takeTurns()));
      turn = answered.catch(() => undefined);
      return answered;
    },
  };
}
