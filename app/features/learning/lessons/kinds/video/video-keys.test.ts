import { describe, expect, it } from 'vitest'
import { canPlayerUseKey, findVideoCommand, stepSpeed } from './video-keys'

const press = (key: string, more = {}) => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

describe('keys of the player', () => {
  it.each([
    [' ', 'toggle-play'],
    ['k', 'toggle-play'],
    ['K', 'toggle-play'],
    ['j', 'back-10'],
    ['l', 'forward-10'],
    ['ArrowLeft', 'back-5'],
    ['ArrowRight', 'forward-5'],
    ['m', 'toggle-mute'],
    ['c', 'toggle-captions'],
    ['f', 'toggle-full-screen'],
    ['<', 'slower'],
    ['>', 'faster'],
    ['?', 'show-shortcuts'],
    ['x', null],
    ['Tab', null],
  ])('%j means %s', (key, command) => {
    expect(findVideoCommand(press(key))).toBe(command)
  })

  it.each([
    ['л', 'KeyK', 'toggle-play'],
    ['О', 'KeyJ', 'back-10'],
    ['λ', 'KeyL', 'forward-10'],
    ['φ', 'KeyF', 'toggle-full-screen'],
    ['צ', 'KeyM', 'toggle-mute'],
    ['Process', 'KeyK', 'toggle-play'],
    ['Unidentified', 'KeyC', 'toggle-captions'],
    ['Process', 'Digit1', null],
    ['ы', 'KeyS', null],
  ])('%j at %s of a keyboard for another script means %s', (key, code, command) => {
    expect(findVideoCommand(press(key, { code }))).toBe(command)
  })

  it('goes by the letter, not by its place, on a keyboard with Latin letters', () => {
    expect(findVideoCommand(press('t', { code: 'KeyK' }))).toBeNull()
    expect(findVideoCommand(press(',', { code: 'KeyM' }))).toBeNull()
    expect(findVideoCommand(press('m', { code: 'Semicolon' }))).toBe('toggle-mute')
  })

  it('leaves the combinations of the browser alone', () => {
    expect(findVideoCommand(press('f', { ctrlKey: true }))).toBeNull()
    expect(findVideoCommand(press('ArrowLeft', { altKey: true }))).toBeNull()
  })

  it('never takes a key from a text field, nor from a control the keys that it uses itself', () => {
    for (const key of ['m', ' ', 'ArrowUp', '?']) {
      expect(canPlayerUseKey(key, 'text', true)).toBe(false)
    }

    expect(canPlayerUseKey(' ', 'button', true)).toBe(false)
    expect(canPlayerUseKey('k', 'button', true)).toBe(true)
    expect(canPlayerUseKey('ArrowRight', 'slider', true)).toBe(false)
    expect(canPlayerUseKey('m', 'slider', true)).toBe(true)
    expect(canPlayerUseKey('ArrowDown', 'select', true)).toBe(false)
    expect(canPlayerUseKey('>', 'select', true)).toBe(true)
  })

  it('leaves scrolling to everything outside of the player', () => {
    for (const target of ['other', 'button'] as const) {
      expect(canPlayerUseKey('ArrowDown', target, false)).toBe(false)
      expect(canPlayerUseKey('ArrowDown', target, true)).toBe(true)
      expect(canPlayerUseKey('ArrowLeft', target, false)).toBe(true)
    }
  })

  it('steps through the speeds and stops at the ends', () => {
    expect(stepSpeed(1, 1)).toBe(1.25)
    expect(stepSpeed(0.5, -1)).toBe(0.5)
    expect(stepSpeed(2, 1)).toBe(2)
  })
})
