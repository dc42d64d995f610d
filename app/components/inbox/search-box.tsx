'use client';

import { useIsFetching } from '@tanstack/react-query';
import { LoaderCircle, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { forgetFirstResult, goToFirstResult } from '#app/components/inbox/first-result.ts';
import { Input } from '#app/components/ui/input.tsx';
import { showInbox } from '#app/components/view/inbox-view.tsx';
import { filtersOf, type InboxView, inboxPath } from '#app/lib/inbox-path.ts';
import { isComposing } from '#app/lib/is-composing.ts';

/** Debounce of the search, in ms. */
const DEBOUNCE_MS = 300;

/** Searches the view while typing. A plain form without scripts. */
export function SearchBox({ view }: { view: InboxView }) {
  const pending = useIsFetching({ queryKey: ['conversations', 'list'] }) > 0;
  const urlSearch = view.search ?? '';
  const [text, setText] = useState(urlSearch);
  const sent = useRef(urlSearch);
  const field = useRef<HTMLInputElement>(null);

  // Links and the back button may change the search in the URL. Text being typed stays.
  useEffect(() => {
    if (urlSearch === sent.current) return;
    sent.current = urlSearch;
    setText(urlSearch);
  }, [urlSearch]);

  // Going back before a search is rendered does not change `urlSearch`, so listen for popstate too.
  useEffect(() => {
    const onPopState = () => {
      const words = new URL(location.href).searchParams.get('search') ?? '';
      if (words === sent.current) return;
      sent.current = words;
      setText(words);
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, []);

  const search = (words: string) => {
    if (words === sent.current) return;
    sent.current = words;
    showInbox(inboxPath({ ...view, search: words }), 'replace');
  };
  const searchNow = () => search(text.trim() === '' ? '' : text);
  const clear = () => {
    forgetFirstResult();
    setText('');
    search('');
  };
  /** Enter opens the first result, Arrow down moves to it. Escape clears the field, then leaves it. */
  const onKeyDown = (press: KeyboardEvent<HTMLInputElement>) => {
    const { key, nativeEvent, currentTarget } = press;
    if (isComposing(nativeEvent) || (key !== 'Escape' && key !== 'ArrowDown' && key !== 'Enter')) return;
    press.preventDefault();
    press.stopPropagation();
    if (key === 'Escape') {
      if (text === '') currentTarget.blur();
      else clear();
      return;
    }
    searchNow();
    if (key === 'Enter' && text.trim() === '') return;
    goToFirstResult(
      inboxPath({ ...view, search: sent.current, selected: undefined }),
      key === 'Enter' ? 'open' : 'focus',
    );
  };
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  });
  useEffect(() => {
    const timer = setTimeout(() => latest.current(text.trim() === '' ? '' : text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  const { search: _search, ...others } = filtersOf(view);
  const sort = view.sort ? { sort: view.sort } : {};
  const hidden = { ...others, ...sort, ...(view.status === 'open' ? {} : { status: view.status }) };
  return (
    <search className="min-w-0 grow">
      <form
        action="/inbox"
        className="relative"
        onSubmit={(submit) => {
          submit.preventDefault();
          searchNow();
        }}
      >
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {pending && text !== '' ? (
          <LoaderCircle
            aria-hidden
            size={16}
            className="absolute top-1/2 left-2.5 -translate-y-1/2 animate-spin text-ink-faint"
          />
        ) : (
          <Search
            aria-hidden
            size={16}
            className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-faint"
          />
        )}
        <Input
          ref={field}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          name="search"
          aria-label="Search conversations"
          placeholder="Search"
          autoComplete="off"
          maxLength={200}
          data-shortcut="search"
          value={text}
          onChange={(change) => {
            forgetFirstResult();
            setText(change.target.value);
          }}
          onKeyDown={onKeyDown}
          className="pr-9 pl-8"
        />
        {text === '' ? null : (
          <button
            type="button"
            aria-label="Clear search"
            data-tip="Clear search"
            onClick={() => {
              clear();
              field.current?.focus();
            }}
            className="focus-inset absolute inset-y-0 right-0 inline-flex w-9 items-center justify-center rounded-lg text-ink-soft hover:text-ink max-md:w-11"
          >
            <X aria-hidden size={16} />
          </button>
        )}
      </form>
    </search>
  );
}
