import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { toolOutputs } from '#mcp/tool';
import { outputs } from '#protocol/outputs';

const folder = fileURLToPath(new URL('../docs/formats/', import.meta.url));
const width = 140;

/** The JSON Schemas of the command line's outputs, as [file, text], in the shape that the formatter leaves alone. */
export function schemaFiles(): [file: string, text: string][] {
  return Object.entries(outputs).map(([name, schema]) => [join(folder, `${name}.schema.json`), `${print(z.toJSONSchema(schema), '')}\n`]);
}

/** The JSON Schemas of what the tools for agents answer, in the same shape. */
export function toolFiles(): [file: string, text: string][] {
  return Object.entries(toolOutputs).map(([name, schema]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema);
    const about = { title: `MCP tool ${name}`, description: 'Its structured content, refusals included.' };
    return [join(folder, `mcp-${name.replaceAll('_', '-')}.schema.json`), `${print({ $schema, ...about, type: 'object', ...rest }, '')}\n`];
  });
}

/** The files whose text on disk is not what the outputs give, by absolute path. */
export function staleSchemas(): string[] {
  return [...schemaFiles(), ...toolFiles()].flatMap(([file, text]) => (readText(file) === text ? [] : [file]));
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Objects one member a line; an array on one line if it fits there and holds no objects. */
function print(value: unknown, indent: string, used = indent.length): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const line = JSON.stringify(value, null, 1).replace(/\n */g, ' ').replace('[ ', '[').replace(/ ]$/, ']');
    const isFlat = value.every((item) => item === null || typeof item !== 'object');
    if (isFlat && used + line.length < width) return line;
    return `[\n${value.map((item) => deeper + print(item, deeper)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(([name, member]) => {
    const head = `${deeper}${JSON.stringify(name)}: `;
    return head + print(member, deeper, head.length);
  });
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const stale = staleSchemas();
  if (process.argv.includes('--check')) {
    for (const file of stale) console.error(`${file} is not what the outputs give; run node scripts/schemas.ts.`);
    process.exitCode = stale.length === 0 ? 0 : 1;
  } else for (const [file, text] of [...schemaFiles(), ...toolFiles()]) writeFileSync(file, text);
}
