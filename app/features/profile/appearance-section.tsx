import { Monitor, Moon, Sun } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useHydrated } from '~/ui/hooks'
import { siteName } from '~/ui/site-name'
import { chooseTheme, type Theme } from '~/ui/theme-switch'

const themeChoices = [
  { value: null, label: 'Same as my device', Icon: Monitor },
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
] as const

/** Lets the learner choose the theme of this browser. A choice is applied at once. */
export function AppearanceSection() {
  const isHydrated = useHydrated()
  const theme = useSyncExternalStore(subscribeToTheme, readTheme, () => null)

  return (
    <section id="appearance" aria-labelledby="appearance-title" className="card mt-6 p-5 sm:p-6">
      <h2 id="appearance-title" className="font-bold text-lg">
        Appearance
      </h2>
      <fieldset disabled={!isHydrated} className="mt-3">
        <legend className="text-muted">Your choice counts right away, in this browser only.</legend>
        <div className="mt-4 flex flex-wrap gap-2">
          {themeChoices.map(({ value, label, Icon }) => (
            <label
              key={label}
              className="flex min-h-11 items-center gap-2.5 whitespace-nowrap rounded-control border border-edge px-3.5 hover:border-ink has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="theme"
                checked={theme === value}
                onChange={() => chooseTheme(value)}
                className="size-5 shrink-0 accent-accent"
              />
              <Icon aria-hidden="true" size={18} className="shrink-0 text-muted" />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <p className="mt-3 hidden text-muted noscript:block">
        Without JavaScript, {siteName()} looks like your device: light or dark.
      </p>
    </section>
  )
}

function readTheme(): Theme | null {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : null
}

/** Calls `onChange` for each new theme. The switch in the page's header changes the theme, too. */
function subscribeToTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
