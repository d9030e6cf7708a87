import { useSyncExternalStore } from 'react'

export const captionSizes = ['small', 'medium', 'large', 'huge'] as const

/** The learner's settings for all videos, stored in this browser. */
export type PlayerSettings = {
  speed: number
  volume: number
  muted: boolean
  captions: boolean
  captionSize: (typeof captionSizes)[number]
  /** Shortcuts work on the whole page. */
  pageKeys: boolean
  /** The next lesson starts by itself after a countdown. */
  goesOn: boolean
  /** The transcript keeps the current line in view. */
  follows: boolean
}

const defaultSettings: PlayerSettings = {
  speed: 1,
  volume: 1,
  muted: false,
  captions: true,
  captionSize: 'medium',
  pageKeys: true,
  goesOn: true,
  follows: true,
}

const storageKey = 'player'
const listeners = new Set<() => void>()
let current: PlayerSettings | null = null

/** Chosen once, used for every video; the defaults until hydration, because the server cannot know them. */
export function usePlayerSettings() {
  const settings = useSyncExternalStore(subscribe, currentSettings, () => defaultSettings)
  return [settings, changePlayerSettings] as const
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function currentSettings(): PlayerSettings {
  current ??= readPlayerSettings()
  return current
}

function changePlayerSettings(part: (settings: PlayerSettings) => Partial<PlayerSettings>): void {
  const before = currentSettings()
  current = { ...before, ...part(before) }
  try {
    localStorage.setItem(storageKey, JSON.stringify(current))
  } catch {
    // Storage is switched off: the choice holds until the page is loaded anew.
  }
  for (const listener of listeners) listener()
}

/** Unusable values in storage count as unset. */
function readPlayerSettings(): PlayerSettings {
  try {
    return parsePlayerSettings(JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    return defaultSettings
  }
}

type Flag = 'muted' | 'captions' | 'pageKeys' | 'goesOn' | 'follows'

function parsePlayerSettings(stored: Partial<Record<keyof PlayerSettings, unknown>>): PlayerSettings {
  const flag = (name: Flag) => (typeof stored[name] === 'boolean' ? stored[name] : defaultSettings[name])
  const { speed, volume, captionSize } = stored
  return {
    speed: speeds.find((offered) => offered === speed) ?? defaultSettings.speed,
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : defaultSettings.volume,
    captionSize: captionSizes.find((offered) => offered === captionSize) ?? defaultSettings.captionSize,
    muted: flag('muted'),
    captions: flag('captions'),
    pageKeys: flag('pageKeys'),
    goesOn: flag('goesOn'),
    follows: flag('follows'),
  }
}

/** The speeds the player offers, slowest first. */
export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

export const fastestSpeed = Math.max(...speeds)
