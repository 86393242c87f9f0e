import { type ReactNode, useEffect, useRef } from 'react';
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
  const face = useRef<HTMLElement>(null);
  useEffect(() => keepFocus(face.current!), []);
  return (
    <ModalOverlay className="overlay" isOpen isDismissable={!isQuestion} onOpenChange={(isOpen) => !isOpen && view.answered()}>
      <Modal className={`box ${className}`}>
        <Dialog ref={face} role={isQuestion ? 'alertdialog' : 'dialog'} className="box-face">
          <Heading slot="title" className="box-title">
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** A control that has the focus and is switched off leaves it to nobody, and no key would be heard any more: then the box takes it. */
function keepFocus(face: HTMLElement): () => void {
  const observer = new MutationObserver(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches(':disabled') === true) face.focus();
  });
  observer.observe(face, { subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return () => observer.disconnect();
}

/** The `ref` of what has the focus in a box from its opening on. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
