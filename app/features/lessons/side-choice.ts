import { useLayoutEffect, useSyncExternalStore } from 'react'

/** What stands beside the lesson on a wide window: the course, transcript and notes, or nothing. */
export type SideChoice = 'lessons' | 'tools' | 'none'

const storageKey = 'lesson-side'

/**
 * The choice is an attribute of the document, which the styles read, so that a page is laid out by it before any other
 * script has come: this one runs while the page is read.
 */
export const sideScript = `try{const side=localStorage.getItem('${storageKey}');if(side==='tools'||side==='none')document.documentElement.dataset.side=side}catch{}`

const listeners = new Set<() => void>()

/** Kept in this browser. */
export function useSideChoice() {
  const choice = useSyncExternalStore(subscribe, readChoice, () => 'lessons' as const)
  // A page that was reached by a link has not run the script.
  useLayoutEffect(() => {
    const side = storedChoice()
    if (side !== readChoice()) show(side)
  }, [])
  return { choice, choose }
}

function choose(choice: SideChoice): void {
  try {
    localStorage.setItem(storageKey, choice)
  } catch {
    // Storage is switched off: the choice holds for this page.
  }
  show(choice)
}

function show(choice: SideChoice): void {
  document.documentElement.dataset.side = choice
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function readChoice(): SideChoice {
  return choiceOf(document.documentElement.dataset.side)
}

function storedChoice(): SideChoice {
  try {
    return choiceOf(localStorage.getItem(storageKey))
  } catch {
    return readChoice()
  }
}

function choiceOf(text: string | null | undefined): SideChoice {
  return text === 'tools' || text === 'none' ? text : 'lessons'
}
