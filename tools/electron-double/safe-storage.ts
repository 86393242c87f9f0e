const mark = 0x5a;

/** A store that seals nothing: it only makes a text another one, so that a test sees where it was kept as it is. */
export const safeStorage = {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => 'gnome_libsecret',
  encryptString: (text: string): Buffer => Buffer.from(Buffer.from(text, 'utf8').map((byte) => byte ^ mark)),
  decryptString: (sealed: Buffer): string => Buffer.from(sealed.map((byte) => byte ^ mark)).toString('utf8'),
};
