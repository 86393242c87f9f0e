import module from 'node:module';

// As the command line does: the rest comes from the compile cache.
module.enableCompileCache();
const { createMemory } = await import('#core/workspace/memory');
const { firstPage, openWorkspace } = await import('./page.ts');

const [root = '.', home = root] = process.argv.slice(2);
const workspace = openWorkspace(root, home);
await createMemory(workspace).recall(true);
await workspace.replica.refresh();
console.log(JSON.stringify(firstPage(workspace, 200)));
