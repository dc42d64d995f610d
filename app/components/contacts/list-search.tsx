'use client';

import { LoaderCircle, Search, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, type ReactNode, useEffect, useRef, useState, useTransition } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { type ContactsView, companiesPath, contactsPath } from '#app/lib/contacts-path.ts';
import { cx } from '#app/lib/cx.ts';

/** Debounce of the search, in ms. */
const DEBOUNCE_MS = 250;

type Props = {
  /** URL of the list. */
  action: string;
  /** Returns the URL of the list filtered by a search. */
  pathOf: (search: string) => string;
  /** Current search. */
  search: string;
  label: string;
  placeholder: string;
  /** Other query parameters, as hidden fields. */
  children?: ReactNode;
};

/** Filters a list while the user types and stores the search in the URL. Works as a plain form without scripts. */
function ListSearch({ action, pathOf, search, label, placeholder, children }: Props) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [text, setText] = useState(search);
  const [pending, start] = useTransition();
  // Links and the back button also change the URL. While the field has focus, its text is newer than the URL.
  useEffect(() => {
    if (document.activeElement !== input.current) setText(search);
  }, [search]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = (typed: string) => {
    clearTimeout(timer.current);
    start(() => router.replace(pathOf(typed), { scroll: false }));
  };
  const change = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => show(typed), DEBOUNCE_MS);
  };
  const clear = () => {
    setText('');
    show('');
    input.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    show(text);
  };
  return (
    <search>
      <form action={action} onSubmit={submit} aria-busy={pending} className="relative">
        <Search
          aria-hidden
          size={16}
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-faint"
        />
        <Input
          ref={input}
          type="search"
          name="search"
          aria-label={label}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          data-shortcut="search"
          value={text}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || text === '') return;
            event.preventDefault();
            clear();
          }}
          className={cx('pl-9 [&::-webkit-search-cancel-button]:hidden', text ? 'pr-18' : 'pr-3')}
        />
        {children}
        <span className="absolute top-1/2 right-0.5 flex -translate-y-1/2 items-center gap-1">
          {pending ? <LoaderCircle aria-hidden size={16} className="animate-spin text-ink-faint" /> : null}
          {text ? <IconButton icon={X} label="Clear search" onClick={clear} /> : null}
        </span>
      </form>
    </search>
  );
}

/** Searches all contacts, or the contacts of the filtered company. */
export function ContactSearch({ view }: { view: ContactsView }) {
  return (
    <ListSearch
      action="/contacts"
      pathOf={(search) => contactsPath({ ...view, search })}
      search={view.search}
      label="Search contacts"
      placeholder="Name, email, phone or company"
    >
      {view.company ? <input type="hidden" name="company" value={view.company} /> : null}
    </ListSearch>
  );
}

export function CompanySearch({ search }: { search: string }) {
  return (
    <ListSearch
      action={companiesPath()}
      pathOf={companiesPath}
      search={search}
      label="Search companies"
      placeholder="Name or domain"
    />
  );
}

/** Searches the list of a settings page. */
export function SettingsListSearch({
  page,
  ...rest
}: { page: `/settings/${string}` } & Pick<Props, 'search' | 'label' | 'placeholder'>) {
  return (
    <ListSearch
      action={page}
      pathOf={(typed) => `${page}${typed ? `?search=${encodeURIComponent(typed)}` : ''}`}
      {...rest}
    />
  );
}
