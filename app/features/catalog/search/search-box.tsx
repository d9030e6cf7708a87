import { LoaderCircle, Search } from 'lucide-react'
import { type ComponentProps, Suspense, startTransition, useEffect, useRef, useState } from 'react'
import { Form } from 'react-router'
import { lazyComponent } from '~/ui/lazy-component'
import { siteName } from '~/ui/site-name'
import { catalogPath } from './catalog-query'

/** The search field in the top bar of every page. Its form leads to the catalog. */
export function SiteSearch() {
  return (
    <Form action={catalogPath} autoComplete="off" className="w-full">
      <SearchBox
        id="site-q"
        label={`Search ${siteName()}`}
        placeholder="What do you want to learn?"
        isCompact
      />
    </Form>
  )
}

// The panel is loaded when the field gets the focus.
const SuggestionPanel = lazyComponent(() =>
  import('./suggestion-panel').then((module) => module.SuggestionPanel),
)

type SearchBoxProps = {
  id: string
  /** The accessible name, if no label stands beside the field. */
  label?: string
  placeholder: string
  initialText?: string
  /** Whether results are loading. */
  isPending?: boolean
  /** Whether the field is small enough for the top bar. */
  isCompact?: boolean
  onInput?(): void
  onBlur?(): void
}

/**
 * A search field `q` with suggestions, by the ARIA combobox pattern:
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/. Its type is `text`, because HTML doesn't
 * allow the role `combobox` on a field of the type `search`.
 */
export function SearchBox({
  id,
  label,
  placeholder,
  initialText,
  isPending = false,
  isCompact = false,
  ...handlers
}: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  /**
   * The initial or submitted text of the field, for which nothing is suggested. Undefined until the
   * field gets the focus.
   */
  const [settledText, setSettledText] = useState<string>()

  useEffect(() => {
    // The field may have got the focus before hydration.
    if (document.activeElement === input.current) {
      setSettledText(input.current?.defaultValue)
    }
  }, [])

  return (
    <div className="relative w-full">
      <SearchIcon isPending={isPending} />
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
        defaultValue={initialText}
        placeholder={placeholder}
        onFocus={({ currentTarget: { defaultValue } }) =>
          // The panel isn't urgent, so the browser can show the focus first.
          startTransition(() => setSettledText((text) => text ?? defaultValue))
        }
        onKeyDown={({ key, currentTarget }) =>
          key === 'Enter' && setSettledText(currentTarget.value)
        }
        className={`block w-full rounded-control border border-edge bg-surface pl-11 text-ink placeholder:text-muted ${isCompact ? 'min-h-11 py-2 pr-2' : 'min-h-12 py-2.5 pr-3'}`}
        {...handlers}
      />
      {settledText !== undefined && (
        <LazySuggestionPanel id={id} input={input} settledText={settledText} />
      )}
    </div>
  )
}

function LazySuggestionPanel(props: ComponentProps<typeof SuggestionPanel>) {
  return (
    <Suspense>
      <SuggestionPanel {...props} />
    </Suspense>
  )
}

function SearchIcon({ isPending }: { isPending: boolean }) {
  const Icon = isPending ? LoaderCircle : Search
  return (
    <Icon
      aria-hidden="true"
      size={18}
      className={`pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted ${isPending ? 'animate-spin' : ''}`}
    />
  )
}
