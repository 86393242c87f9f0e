import { describe, expect, it } from 'vitest';
import { fillTemplate, templatesIn } from '#renderer/editor/template.ts';

const values = { title: 'The Ferry', date: '2026-11-30', time: '10:42' };
const block = 'vmark:\n  id: 01998f2e-7c1a-7d2b-9c3d-4e5f60718293\n  schema: 1\n';

describe('a document of a template', () => {
  it('has what the template asks for, and no identity of its own', () => {
    expect(fillTemplate('# {{title}}\n\n{{ date }} {{time}} {{other}}', values)).toBe('# The Ferry\n\n2026-11-30 10:42 {{other}}');
    expect(fillTemplate(`---\ntitle: {{title}}\n${block}tags: [a]\n---\ntext`, values)).toBe('---\ntitle: The Ferry\ntags: [a]\n---\ntext');
    expect(fillTemplate(`---\n${block}---\n\n# {{title}}\n`, values)).toBe('# The Ferry\n');
    expect(fillTemplate(`---\r\n${block.replaceAll('\n', '\r\n')}---\r\ntext\r\n`, values)).toBe('text\r\n');
  });

  it('is of a folder that the setting names', () => {
    expect(templatesIn(['templates/a.md', 'templates/b/c.md', 'x/templates/a.md', 'templates.md'], '/templates/')).toEqual([
      'templates/a.md',
      'templates/b/c.md',
    ]);
  });
});
