import type { Words } from '#protocol';
import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };

type Tree = { readonly [key: string]: string | Tree };

/** The shell's own words (`coreLost.message`) in a language; anything but Spanish reads English. An unknown key comes back as it is. */
export function shellWords(locale: string): Words {
  const catalogue: Tree = /^es(?![a-z])/i.test(locale) ? es : en;
  return (key, detail = {}) => {
    const found = key
      .split('.')
      .reduce<string | Tree | undefined>((tree, part) => (typeof tree === 'object' ? tree[part] : undefined), catalogue);
    if (typeof found !== 'string') return key;
    return found.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => String(detail[name] ?? ''));
  };
}
