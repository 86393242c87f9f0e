#!/usr/bin/env node
import module from 'node:module';
import { isOlder, neededNode } from '#cli/node-version';

// Nothing else is imported here: an old Node must get as far as its sentence, and the rest is worth compiling from the cache.
if (isOlder(process.versions.node, neededNode)) {
  const { refuseNode } = await import('#cli/refusal');
  process.exitCode = refuseNode(process.versions.node, neededNode);
} else {
  module.enableCompileCache?.();
  const { runProgram } = await import('#cli/program');
  await runProgram(process.argv.slice(2));
}
