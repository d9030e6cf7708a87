import { Moon, Sun } from 'lucide-react'
import { IconButton } from './button'

export type Theme = 'light' | 'dark'

/** This script runs before the page is painted. The content security policy allows its hash. */
export const themeScript = `try{const t=localStorage.getItem('theme');if(t)document.documentElement.dataset.theme=t}catch{}`

/**
 * Switches between the light and the dark theme. Before the first switch, the visitor's system
 * decides. CSS chooses the icon, so that the icon is right before the script runs.
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
  const currentTheme = getComputedStyle(document.documentElement).getPropertyValue('--theme').trim()
  chooseTheme(currentTheme === 'dark' ? 'light' : 'dark')
}

/** @param theme the chosen theme, or null to follow the visitor's system */
export function chooseTheme(theme: Theme | null): void {
  const { dataset } = document.documentElement
  if (theme) {
    dataset.theme = theme
  } else {
    delete dataset.theme
  }

  try {
    // The script above treats an empty value like a missing one.
    localStorage.setItem('theme', theme ?? '')
  } catch {
    // Storage is switched off, so the choice holds only for this page.
  }
}
