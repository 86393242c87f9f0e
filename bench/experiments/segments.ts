// Where a ledger line goes so that git does not refuse: layouts measured on real repositories (docs/adr/0002-where-lines-go.md).
import { compareStamps, showCorners } from './segments/appender.ts';
import { compareClones, compareCommands, showRemains } from './segments/command.ts';
import { compareGrowth } from './segments/growth.ts';
import { control, layouts, legend, template } from './segments/layout.ts';
import { clear, must, root } from './segments/repository.ts';
import { compareStories } from './segments/story.ts';

try {
  console.log(`# Where lines go\n\n${must(root, '--version').trim()}, Node ${process.version}, ${process.platform}\n`);
  console.log(legend.map((text) => `- ${text}`).join('\n'));
  const worlds = new Map([control, ...layouts].map((layout) => [layout, template(layout)]));
  const plain = new Map(layouts.map((layout) => [layout, template(layout, false)]));
  compareCommands(worlds);
  compareClones(worlds, plain);
  compareStories(worlds);
  compareGrowth(worlds);
  compareStamps(worlds.get('D')!);
  await showCorners(worlds.get('D')!);
  showRemains(worlds.get('D')!);
} finally {
  clear();
}
