import { describe, expect, it } from 'vitest'
import { commandOfKey, mayTake, stepSpeed } from './video-keys'

const press = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more })

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
    expect(commandOfKey(press(key))).toBe(command)
  })

  it('leaves the combinations of the browser alone', () => {
    expect(commandOfKey(press('f', { ctrlKey: true }))).toBeNull()
    expect(commandOfKey(press('ArrowLeft', { altKey: true }))).toBeNull()
  })

  it('never takes a key from a text field, the space bar from a button, or scrolling from the page', () => {
    expect(mayTake('toggle-mute', 'm', 'text')).toBe(false)
    expect(mayTake('toggle-play', ' ', 'button')).toBe(false)
    expect(mayTake('toggle-play', 'k', 'button')).toBe(true)
    expect(mayTake('louder', 'ArrowUp', 'page')).toBe(false)
    expect(mayTake('louder', 'ArrowUp', 'player')).toBe(true)
    expect(mayTake('forward-5', 'ArrowRight', 'slider')).toBe(false)
  })

  it('steps through the speeds and stops at the ends', () => {
    expect(stepSpeed(1, 1)).toBe(1.25)
    expect(stepSpeed(0.5, -1)).toBe(0.5)
    expect(stepSpeed(2, 1)).toBe(2)
  })
})
