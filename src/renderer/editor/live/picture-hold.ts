import { EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Whether it was the cursor that brought the text where it is, and not the writer's own scrolling. */
class Hold implements PluginValue {
  private isByCursor = false;
  update({ transactions }: ViewUpdate): void {
    if (transactions.some(({ scrollIntoView }) => scrollIntoView)) this.isByCursor = true;
  }
  letGo(): void {
    this.isByCursor = false;
  }
  /** Brings the cursor back into what is seen: a picture took more room than was reserved for it. */
  sized(view: EditorView): void {
    if (this.isByCursor) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
  }
}

/** Keeps the cursor in what is seen while pictures get their sizes, until the writer scrolls. */
export const pictureHold = ViewPlugin.fromClass(Hold, {
  eventObservers: {
    wheel() {
      this.letGo();
    },
    touchmove() {
      this.letGo();
    },
    mousedown() {
      this.letGo();
    },
  },
});
