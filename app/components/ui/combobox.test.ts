import { createElement, type KeyboardEvent, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { Combobox } from '#app/components/ui/combobox.tsx';

type OnKeyDown = (press: KeyboardEvent<HTMLInputElement>) => void;

test.each(['Enter', 'ArrowDown', 'Escape'])(
  '%s of an input method does nothing in a field with suggestions',
  (key) => {
    const onKeyDown = vi.fn();
    const preventDefault = vi.fn();
    let pressKey: OnKeyDown | undefined;
    const onRender = (handler: OnKeyDown) => {
      pressKey = handler;
    };
    renderToStaticMarkup(createElement(Probe, { onKeyDown, onRender }));
    const press = (isComposing: boolean) =>
      pressKey?.({ key, preventDefault, nativeEvent: { isComposing, keyCode: 0 } } as never);
    const reactions = () => onKeyDown.mock.calls.length + preventDefault.mock.calls.length;
    press(true);
    expect(reactions()).toBe(0);
    press(false);
    expect(reactions()).toBe(1);
  },
);

type Props = { onKeyDown: OnKeyDown; onRender: (handler: OnKeyDown) => void };

/** Renders a closed combobox, and passes on the key handler of its text field. */
function Probe({ onKeyDown, onRender }: Props) {
  const options = [{ key: 'returns', label: 'Returns' }];
  const texts = { value: 'r', optionsLabel: 'Tags', onText: vi.fn(), onChoose: vi.fn() };
  const combobox: ReactElement<{ children: ReactElement<Props>[] }> = Combobox({
    ...texts,
    options,
    onKeyDown,
  });
  const [field] = combobox.props.children;
  if (field) onRender(field.props.onKeyDown);
  return combobox;
}
