import { WidgetType } from '@codemirror/view';

/** The line of a thematic break. */
export class RuleWidget extends WidgetType {
  override eq(): boolean {
    return true;
  }
  override toDOM(): HTMLElement {
    const rule = document.createElement('span');
    rule.className = 'cm-rule-line';
    rule.setAttribute('role', 'separator');
    return rule;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}
