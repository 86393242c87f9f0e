import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import './breakdown.css';
import './breakdown-acts.css';

/** Something that is asked or shown over the page, under a title; Escape closes it. */
export function AskOver({
  title,
  isWide = false,
  close,
  children,
}: {
  readonly title: string;
  readonly isWide?: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}) {
  return (
    <ModalOverlay className="bd-overlay" isOpen onOpenChange={(isOpen) => !isOpen && close()} isDismissable>
      <Modal className={isWide ? 'bd-modal bd-wide' : 'bd-modal'}>
        <Dialog className="bd-dialog">
          <Heading slot="title">{title}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
