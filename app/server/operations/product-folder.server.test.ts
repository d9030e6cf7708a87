import { homedir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { getDefaultDataFolder, productFolder } from './product-folder.server'

it('the product finds its files from any working directory', () => {
  expect(productFolder).toBe(path.resolve(import.meta.dirname, '../../..'))
})

it('the data folder of a checkout is beside the code', () => {
  expect(getDefaultDataFolder({ STATE_DIRECTORY: '/var/lib/learnify' }, false)).toBe('data')
})

it('the data folder of a release is that of systemd, or in the home of the account', () => {
  expect(getDefaultDataFolder({ STATE_DIRECTORY: '/var/lib/learnify:/var/lib/b' }, true)).toBe(
    '/var/lib/learnify',
  )
  expect(getDefaultDataFolder({ XDG_DATA_HOME: '/xdg' }, true)).toBe('/xdg/learnify')
  expect(getDefaultDataFolder({}, true)).toBe(path.join(homedir(), '.local/share/learnify'))
})
