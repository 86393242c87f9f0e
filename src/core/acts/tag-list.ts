import { documentsAmong } from '#core/acts/document-walk';
import { listFiles } from '#core/workspace/files';
import type { Workspace } from '#core/workspace/workspace';
import { foldedTag, tagsIn } from '#kernel/tag';
import type { TagUse } from '#protocol/file-calls';

/** How many documents of a tag are named. */
const named = 200;

/** The tags of all documents with those that have them, the most used first, `most` at the most. Writes nothing. */
export async function listTags(workspace: Workspace, most: number): Promise<TagUse[]> {
  const files = (await listFiles(workspace.disk, workspace.root)).map(({ path }) => path);
  const uses = new Map<string, { tag: string; paths: string[]; count: number }>();
  for await (const { path, bytes } of documentsAmong(workspace, files)) {
    for (const tag of tagsIn(bytes.toString('utf8'))) {
      const use = uses.get(foldedTag(tag)) ?? { tag, paths: [], count: 0 };
      uses.set(foldedTag(tag), use);
      use.count++;
      if (use.paths.length < named) use.paths.push(path);
    }
  }
  return [...uses.values()].sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1)).slice(0, most);
}
