import { LoaderCircle, Search } from 'lucide-react'
import { type ComponentProps, Suspense, startTransition, useEffect, useRef, useState } from 'react'
import { Form } from 'react-router'
import { lazyPart } from '~/ui/lazy-part'
import { siteName } from '~/ui/site-name'
import { catalogPath } from './catalog-query'

/** The search field of every page's top bar: a plain form that leads to the catalog. */
export function SiteSearch() {
  return (
    <Form action={catalogPath} autoComplete="off" className="w-full">
      <SearchBox
        id="site-q"
        label={`Search ${siteName()}`}
        placeholder="What do you want to learn?"
        small
      />
    </Form>
  )
}

/** Loaded when the field gets the focus. */
const SuggestionPanel = lazyPart(() =>
  import('./suggestion-panel').then((module) => module.SuggestionPanel),
)

type SearchBoxProps = {
  id: string
  /** The accessible name, if no label stands beside the field. */
  label?: string
  placeholder: string
  initial?: string
  /** Results are loading. */
  pending?: boolean
  /** The compact style of a bar. */
  small?: boolean
  onInput?(): void
  onBlur?(): void
}

/**
 * A search field `q` that suggests while one types:
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/. HTML allows that role on text fields only,
 * not on those of the type `search`.
 */
export function SearchBox({
  id,
  label,
  placeholder,
  initial,
  pending = false,
  small = false,
  ...on
}: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  /**
   * The text that gets no suggestions: the field's initial or submitted text; undefined until it
   * has the focus.
   */
  const [settled, setSettled] = useState<string>()
  // It may have had the focus before hydration.
  useEffect(() => {
    if (document.activeElement === input.current) {
      setSettled(input.current?.defaultValue)
    }
  }, [])

  return (
    <div className="relative w-full">
      <SearchIcon pending={pending} />
      <input
        ref={input}
        id={id}
        name="q"
        type="text"
        inputMode="search"
        role="combobox"
        aria-expanded="false"
        aria-autocomplete="list"
        aria-controls={`${id}-suggestions`}
        aria-label={label}
        autoComplete="off"
        enterKeyHint="search"
        maxLength={100}
        spellCheck={false}
        defaultValue={initial}
        placeholder={placeholder}
        onFocus={({ currentTarget: { defaultValue } }) =>
          // Not urgent: the browser can show the focus first.
          startTransition(() => setSettled((before) => before ?? defaultValue))
        }
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && setSettled(currentTarget.value)}
        className={`block w-full rounded-control border border-edge bg-surface pl-11 text-ink placeholder:text-muted ${small ? 'min-h-11 py-2 pr-2' : 'min-h-12 py-2.5 pr-3'}`}
        {...on}
      />
      {settled !== undefined && <Panel id={id} input={input} settledText={settled} />}
    </div>
  )
}

function Panel(props: ComponentProps<typeof SuggestionPanel>) {
  return (
    <Suspense>
      <SuggestionPanel {...props} />
    </Suspense>
  )
}

function SearchIcon({ pending }: { pending: boolean }) {
  const Icon = pending ? LoaderCircle : Search
  return (
    <Icon
      aria-hidden="true"
      size={18}
      className={`pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted ${pending ? 'animate-spin' : ''}`}
    />
  )
}
