import { Component, type ReactNode, Suspense } from 'react';
import { useWords } from '#renderer/words.ts';

interface PartProps {
  readonly children: ReactNode;
}

/** A part of the window that stands for itself: while it loads it says so, and when it fails the others go on and no text is lost. */
export function Part({ children }: PartProps) {
  const words = useWords();
  return (
    <Guard message={words('part.failed')} again={words('part.again')}>
      <Suspense fallback={<p className="loading muted">{words('loading')}</p>}>{children}</Suspense>
    </Guard>
  );
}

interface GuardProps extends PartProps {
  readonly message: string;
  readonly again: string;
}

/** React catches what a part throws only in a class. */
class Guard extends Component<GuardProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render(): ReactNode {
    const { children, message, again } = this.props;
    if (!this.state.failed) return children;
    return (
      <div className="part-failed" role="alert">
        <p>{message}</p>
        <button type="button" className="line" onClick={() => this.setState({ failed: false })}>
          {again}
        </button>
      </div>
    );
  }
}
