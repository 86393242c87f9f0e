import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Call, Run } from '#cli/command';
import packageJson from '../../package.json' with { type: 'json' };

/** `stemma mcp`: serves one agent on standard input and output until it goes. Nothing else is printed there. */
export const mcp: Run = async (call: Call) => {
  const folder = resolve(call.folder, typeof call.positional[0] === 'string' ? call.positional[0] : '.');
  const [{ linkCore }, { createAgentServer }, { createStdioTransport }] = await Promise.all([
    import('#cli/core-link'),
    import('#mcp/server'),
    import('#mcp/stdio'),
  ]);
  const core = await linkCore(folder, process.env);
  const credential = process.env.STEMMA_AGENT_TOKEN?.trim() || null;
  const server = createAgentServer({ call: core.call, credential, version: packageJson.version, newId: randomUUID });
  const transport = createStdioTransport(process.stdin, process.stdout);
  await server.connect(transport);
  await Promise.race([transport.ended, toldToEnd()]);
  await server.close();
  await core.close();
  return { output: {}, print: () => ({ text: '' }) };
};

/** The first SIGTERM or SIGINT lets what is under way finish; a second one ends it at once. */
function toldToEnd(): Promise<void> {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  return new Promise((told) => {
    const end = () => {
      for (const signal of signals) process.off(signal, end);
      told();
    };
    for (const signal of signals) process.on(signal, end);
  });
}
