import { Moon, Sun } from 'lucide-react'
import { IconButton } from './icon-button'

/** Runs before the page is painted; the page's policy allows it by its hash. */
export const themeScript = `try{const t=localStorage.getItem('theme');if(t)document.documentElement.dataset.theme=t}catch{}`

/** Switches between light and dark; until then, the system decides. CSS chooses the icon, so nothing flickers. */
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
  const theme = getComputedStyle(root).getPropertyValue('--theme').trim() === 'dark' ? 'light' : 'dark'
  root.dataset.theme = theme
  try {
    localStorage.setItem('theme', theme)
  } catch {
    // Storage is switched off: the choice holds for this page.
  }
}
