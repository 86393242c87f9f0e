import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** Every key that the breakdown hears, by what it does. */
const breakdownKeys: readonly (readonly [name: string, letters: readonly string[]])[] = [
  ['next', ['j', '↓']],
  ['previous', ['k', '↑']],
  ['open', ['Enter']],
  ['accept', ['a']],
  ['revise', ['r']],
  ['waive', ['w']],
  ['take-back', ['u']],
  ['select', ['x']],
  ['anchor', ['s']],
  ['finish', ['f']],
  ['touch', ['t']],
  ['confirm-code', ['a']],
  ['rebind', ['b']],
  ['open-code', ['o']],
  ['tab', ['Tab']],
  ['filters', ['←', '→']],
  ['help', ['?']],
  ['escape', ['Esc']],
];

/** The keys of the breakdown. Only the writer opens it. */
export function KeyHelp({ isOpen, setOpen }: { readonly isOpen: boolean; readonly setOpen: (isOpen: boolean) => void }) {
  const words = useBreakdownWords();
  return (
    <ModalOverlay className="bd-overlay" isOpen={isOpen} onOpenChange={setOpen} isDismissable>
      <Modal className="bd-modal">
        <Dialog className="bd-dialog">
          <Heading slot="title">{words('keys.title')}</Heading>
          <dl>
            {breakdownKeys.map(([name, letters]) => (
              <div key={name}>
                <dt>
                  {letters.map((letter) => (
                    <kbd key={letter}>{letter}</kbd>
                  ))}
                </dt>
                <dd>{words(`keys.${name}`)}</dd>
              </div>
            ))}
          </dl>
          <Button slot="close" autoFocus className="bd-button bd-outline">
            {words('action.close')}
          </Button>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
