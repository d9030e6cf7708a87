import { useSyncExternalStore } from 'react'

export const captionSizes = ['small', 'medium', 'large', 'huge'] as const

/** The tabs beside a lesson. */
export type PanelTab = 'lessons' | 'transcript' | 'notes'

/** The learner's settings for all lessons. They are stored in this browser under these names. */
export type LessonSettings = {
  speed: number
  volume: number
  muted: boolean
  captions: boolean
  captionSize: (typeof captionSizes)[number]
  /** Whether keyboard shortcuts work on the whole page, not only in the player. */
  pageKeys: boolean
  /** Whether the next lesson starts by itself after a countdown. */
  goesOn: boolean
  /** The preferred tab beside a lesson. */
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
/** This is null until the settings are read from the browser's storage. */
let currentSettings: LessonSettings | null = null

/**
 * Returns the default settings until hydration, because the server doesn't know the stored ones.
 */
export function useLessonSettings() {
  const settings = useSyncExternalStore(subscribe, getSettings, () => defaultSettings)
  return [settings, changeSettings] as const
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function getSettings(): LessonSettings {
  currentSettings ??= readStoredSettings()
  return currentSettings
}

function readStoredSettings(): LessonSettings {
  try {
    return { ...defaultSettings, ...JSON.parse(localStorage.getItem(storageKey) ?? '{}') }
  } catch {
    return defaultSettings
  }
}

function changeSettings(changedSettings: Partial<LessonSettings>): void {
  currentSettings = { ...getSettings(), ...changedSettings }
  try {
    localStorage.setItem(storageKey, JSON.stringify(currentSettings))
  } catch {
    // Storage is switched off, so the settings last until the page is reloaded.
  }

  for (const listener of listeners) {
    listener()
  }
}

/** The speeds that the player offers, slowest first. */
export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

export const fastestSpeed = Math.max(...speeds)
