import { Moon, Sun } from 'lucide-react'

/** Runs before the page is painted; the page's policy allows it by its hash. */
export const themeScript = `try{const t=localStorage.getItem('theme');if(t)document.documentElement.dataset.theme=t}catch{}`

/** Light or dark by hand; until it is used the system decides. Which icon shows is a matter of CSS, so nothing flickers. */
export function ThemeSwitch() {
  return (
    <button
      type="button"
      onClick={switchTheme}
      aria-label="Switch between light and dark"
      className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink"
    >
      <Sun aria-hidden="true" size={20} className="hidden in-dark:block" />
      <Moon aria-hidden="true" size={20} className="block in-dark:hidden" />
    </button>
  )
}

function switchTheme() {
  const root = document.documentElement
  const theme = getComputedStyle(root).getPropertyValue('--theme').trim() === 'dark' ? 'light' : 'dark'
  root.dataset.theme = theme
  try {
    localStorage.setItem('theme', theme)
  } catch {
    // Storage is switched off: the choice holds for this page.
  }
}
