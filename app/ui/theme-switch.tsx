import { Moon, Sun } from 'lucide-react'
import type { MouseEvent } from 'react'
import { IconButton } from './icon-button'

/** Runs before the page is painted; the page's policy allows it by its hash. */
export const themeScript = `try{const t=localStorage.getItem('theme');if(t)document.documentElement.dataset.theme=t}catch{}`

/** Switches between light and dark; until then, the system decides. CSS chooses the icon, so nothing flickers. */
export function ThemeSwitch() {
  return (
    <IconButton label="Switch between light and dark" onClick={switchTheme} className="group/theme">
      <Sun
        aria-hidden="true"
        size={20}
        className="hidden in-dark:block group-data-turned/theme:block in-dark:group-data-turned/theme:hidden"
      />
      <Moon
        aria-hidden="true"
        size={20}
        className="block in-dark:hidden group-data-turned/theme:hidden in-dark:group-data-turned/theme:block"
      />
    </IconButton>
  )
}

/** The icon changes first, then the page, because restyling a page takes too long on a slow phone. */
function switchTheme({ currentTarget: button }: MouseEvent<HTMLButtonElement>) {
  button.toggleAttribute('data-turned')
  requestAnimationFrame(() =>
    setTimeout(() => {
      turnPage()
      button.toggleAttribute('data-turned')
    }),
  )
}

function turnPage() {
  const root = document.documentElement
  const theme = getComputedStyle(root).getPropertyValue('--theme').trim() === 'dark' ? 'light' : 'dark'
  root.dataset.theme = theme
  try {
    localStorage.setItem('theme', theme)
  } catch {
    // Storage is switched off: the choice holds for this page.
  }
}
