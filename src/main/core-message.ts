import type { FallbackAddress } from '#protocol/desktop';
import type { Reply } from '#protocol/reply';

/** What a core asks of the secret store: whether there is one, a secret, or to keep one (null: to forget it). */
export type SecretAsk =
  | { readonly act: 'kind' }
  | { readonly act: 'get'; readonly name: string }
  | { readonly act: 'set'; readonly name: string; readonly value: string | null };

/** What main says to a core process. `port` comes with the window's port. */
export type ToCore =
  | { readonly kind: 'port'; readonly windowId: number }
  | { readonly kind: 'fallback'; readonly id: number }
  | { readonly kind: 'secret'; readonly id: number; readonly reply: Reply<string | null> }
  | { readonly kind: 'close' };

/** What a core process says to main. After `failed` it ends. */
export type FromCore =
  | { readonly kind: 'opened'; readonly root: string }
  | { readonly kind: 'failed'; readonly reply: Reply<never> }
  | { readonly kind: 'fallback'; readonly id: number; readonly reply: Reply<FallbackAddress> }
  | { readonly kind: 'secret'; readonly id: number; readonly ask: SecretAsk };
