import { Moon, Sun } from 'lucide-react'
import { IconButton } from './button'

export type Theme = 'light' | 'dark'

/** Runs before the page is painted; the page's policy allows it by its hash. */
export const themeScript = `try{const t=localStorage.getItem('theme');if(t)document.documentElement.dataset.theme=t}catch{}`

/**
 * Switches between light and dark; until then, the system decides. CSS chooses the icon, so nothing
 * flickers.
 */
export function ThemeSwitch() {
  return (
    <IconButton label="Switch between light and dark" onClick={switchTheme}>
      <Sun aria-hidden="true" size={20} className="hidden in-dark:block" />
      <Moon aria-hidden="true" size={20} className="block in-dark:hidden" />
    </IconButton>
  )
}

function switchTheme() {
  const root = document.documentElement
  chooseTheme(
    getComputedStyle(root).getPropertyValue('--theme').trim() === 'dark' ? 'light' : 'dark',
  )
}

/** @param theme null for that of the visitor's system. */
export function chooseTheme(theme: Theme | null): void {
  const { dataset } = document.documentElement
  if (theme) {
    dataset.theme = theme
  } else {
    delete dataset.theme
  }

  try {
    // An empty one is none to the script above.
    localStorage.setItem('theme', theme ?? '')
  } catch {
    // Storage is switched off: the choice holds for this page.
  }
}
