import { expect, it } from 'vitest';
import { digest } from '#core/digest';

it('hashes the UTF-8 bytes of a text', () => {
  expect(digest.sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(digest.utf8Length('é')).toBe(2);
});
