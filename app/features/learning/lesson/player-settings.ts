import { speeds } from './playback-speeds'

/** The learner's settings for all videos, kept in this browser. */
export type PlayerSettings = { speed: number; volume: number; muted: boolean; captions: boolean; pageKeys: boolean }

export const defaultSettings: PlayerSettings = { speed: 1, volume: 1, muted: false, captions: true, pageKeys: true }

const storageKey = 'player'

/** Unusable values in storage count as unset. */
export function readPlayerSettings(): PlayerSettings {
  try {
    return parsePlayerSettings(JSON.parse(localStorage.getItem(storageKey) ?? '{}'))
  } catch {
    return defaultSettings
  }
}

export function keepPlayerSettings(settings: PlayerSettings): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(settings))
  } catch {
    // Storage is switched off: the choice holds for this page.
  }
}

function parsePlayerSettings(stored: Partial<Record<keyof PlayerSettings, unknown>>): PlayerSettings {
  const flag = (name: 'muted' | 'captions' | 'pageKeys') =>
    typeof stored[name] === 'boolean' ? stored[name] : defaultSettings[name]
  const { speed, volume } = stored
  return {
    speed: speeds.find((offered) => offered === speed) ?? defaultSettings.speed,
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : defaultSettings.volume,
    muted: flag('muted'),
    captions: flag('captions'),
    pageKeys: flag('pageKeys'),
  }
}
