import type { FallbackAddress } from '#protocol/desktop';
import type { Reply } from '#protocol/reply';

/** What main says to a core process. `port` comes with the window's port. */
export type ToCore =
  | { readonly kind: 'port'; readonly windowId: number }
  | { readonly kind: 'fallback'; readonly id: number }
  | { readonly kind: 'close' };

/** What a core process says to main. After `failed` it ends. */
export type FromCore =
  | { readonly kind: 'opened'; readonly root: string }
  | { readonly kind: 'failed'; readonly reply: Reply<never> }
  | { readonly kind: 'fallback'; readonly id: number; readonly reply: Reply<FallbackAddress> };
