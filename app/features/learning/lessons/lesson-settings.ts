import { useSyncExternalStore } from 'react'

export const captionSizes = ['small', 'medium', 'large', 'huge'] as const

/** The tabs beside a lesson. */
export type PanelTab = 'lessons' | 'transcript' | 'notes'

/** The learner's choices for all lessons, stored in this browser. */
export type LessonSettings = {
  speed: number
  volume: number
  muted: boolean
  captions: boolean
  captionSize: (typeof captionSizes)[number]
  /** Shortcuts work on the whole page. */
  pageKeys: boolean
  /** The next lesson starts by itself after a countdown. */
  goesOn: boolean
  tab: PanelTab
}

const defaultSettings: LessonSettings = {
  speed: 1,
  volume: 1,
  muted: false,
  captions: true,
  captionSize: 'medium',
  pageKeys: true,
  goesOn: true,
  tab: 'lessons',
}

const storageKey = 'player'
const listeners = new Set<() => void>()
let current: LessonSettings | null = null

/**
 * Chosen once, used for every lesson; the defaults until hydration, because the server cannot know
 * them.
 */
export function useLessonSettings() {
  const settings = useSyncExternalStore(subscribe, currentSettings, () => defaultSettings)
  return [settings, changeSettings] as const
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function currentSettings(): LessonSettings {
  current ??= storedSettings()
  return current
}

function storedSettings(): LessonSettings {
  try {
    return { ...defaultSettings, ...JSON.parse(localStorage.getItem(storageKey) ?? '{}') }
  } catch {
    return defaultSettings
  }
}

function changeSettings(part: Partial<LessonSettings>): void {
  current = { ...currentSettings(), ...part }
  try {
    localStorage.setItem(storageKey, JSON.stringify(current))
  } catch {
    // Storage is switched off: the choice holds until the page is loaded anew.
  }

  for (const listener of listeners) {
    listener()
  }
}

/** The speeds the player offers, slowest first. */
export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

export const fastestSpeed = Math.max(...speeds)
