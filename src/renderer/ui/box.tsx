import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useStudio } from './studio.ts';
import './box.css';

interface BoxProps {
  readonly title: string;
  readonly className?: string;
  readonly isQuestion?: boolean;
  readonly children: ReactNode;
}

/** A box over the window. Escape and a click beside it put it away; the focus goes back to where it was. */
export function Box({ title, className = '', isQuestion = false, children }: BoxProps) {
  const { view } = useStudio();
  return (
    <ModalOverlay className="overlay" isOpen isDismissable={!isQuestion} onOpenChange={(isOpen) => !isOpen && view.answered()}>
      <Modal className={`box ${className}`}>
        <Dialog role={isQuestion ? 'alertdialog' : 'dialog'} className="box-face">
          <Heading slot="title" className="box-title">
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The `ref` of what has the focus in a box from its opening on. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
