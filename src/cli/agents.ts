import { argumentOf, type Call, linesOf, type Run } from '#cli/command';
import { visible } from '#cli/text';
import { usageFault } from '#cli/usage';

/** `stemma agents`: names and tokens of agents, in the app data. No workspace is opened. */
export const agents: Run = async (call: Call) => {
  const action = argumentOf(call, 0);
  const name = call.positional[1];
  const [{ openAgents }, { homeFolder }, { realDisk }] = await Promise.all([
    import('#core/agents'),
    import('#core/home'),
    import('#core/storage/disk'),
  ]);
  const kept = openAgents(realDisk, homeFolder(process.env));
  const { words } = call;
  if (action === 'list') {
    if (name !== undefined) throw usageFault('excess-arguments');
    const output = { agents: kept.list().map((agent) => ({ ...agent })) };
    const lines = output.agents.map(({ name: known, created, removed }) =>
      words(`cli.agents.${removed === null ? 'line' : 'removed-line'}`, { name: visible(known), created, removed: removed ?? '' }),
    );
    return { output, print: () => ({ text: linesOf(lines.length === 0 ? [words('cli.agents.none')] : lines) }) };
  }
  if (action !== 'add' && action !== 'remove') throw usageFault('bad-agents-action', { action });
  if (typeof name !== 'string') throw usageFault('missing-argument', { name: 'NAME' });
  if (action === 'remove') {
    const output = { agents: [kept.remove(name)] };
    return { output, print: () => ({ text: linesOf([words('cli.agents.removed', { name: visible(name) })]) }) };
  }
  const output = kept.add(name);
  const notes = [words('cli.agents.added', { name: visible(output.name) })];
  return { output, print: () => ({ text: linesOf([output.token]), notes }) };
};
