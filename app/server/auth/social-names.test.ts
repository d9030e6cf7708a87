import { expect, it } from 'vitest'
import { socialNames } from './social-names'

it.each([
  ['Maya Okonkwo', 'Maya', 'Okonkwo'],
  ['Gabriel José García Márquez', 'Gabriel', 'José García Márquez'],
  ['  Björk  ', 'Björk', ''],
  ['', 'User', ''],
  [null, 'User', ''],
  [undefined, 'User', ''],
])('takes the first word of %j as first name and the rest as last name', (displayName, firstName, lastName) => {
  expect(socialNames(displayName)).toEqual({ firstName, lastName })
})
