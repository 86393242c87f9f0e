import { X } from 'lucide-react';

/** The title of what stands beside the page, and the way to close it. */
export function SideTitle({ title, closing, close }: { readonly title: string; readonly closing: string; readonly close: () => void }) {
  return (
    <h2>
      {title}
      <button type="button" className="quiet" aria-label={closing} title={closing} onClick={close}>
        <X size={14} aria-hidden="true" />
      </button>
    </h2>
  );
}
