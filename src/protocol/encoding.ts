/** The encodings that a document may be read and written in, by their IANA names; the first is what everything is unless it says otherwise. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'iso-8859-1',
  'iso-8859-15',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'koi8-r',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'macintosh',
  'ibm437',
  'ibm850',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const;

/** One of them. */
export type Encoding = (typeof encodings)[number];

/** What they are called where a person chooses; standards have no translation. */
export const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  'iso-8859-1': 'ISO 8859-1',
  'iso-8859-15': 'ISO 8859-15',
  'windows-1250': 'Windows-1250',
  'iso-8859-2': 'ISO 8859-2',
  'windows-1251': 'Windows-1251',
  'koi8-r': 'KOI8-R',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1255': 'Windows-1255',
  'windows-1256': 'Windows-1256',
  macintosh: 'Mac Roman',
  ibm437: 'CP 437',
  ibm850: 'CP 850',
  shift_jis: 'Shift JIS',
  'euc-jp': 'EUC-JP',
  gb18030: 'GB 18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
};

/** How a file reads in an encoding: a piece of it where that shows. `isExact`: written again it would be the same bytes. */
export interface EncodingSample {
  readonly encoding: Encoding;
  readonly text: string;
  readonly isExact: boolean;
}
