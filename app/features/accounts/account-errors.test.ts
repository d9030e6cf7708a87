import { describe, expect, it } from 'vitest'
import {
  accountErrorMessage,
  afterSubmitErrorMessages,
  providerLoginFailedMessage,
  resetEmailSentMessage,
  toFormErrors,
  unexpectedErrorMessages,
} from './account-errors'

describe('the error catalogue', () => {
  it.each([
    ['user-not-found', 'No user found with this email address'],
    ['wrong-password', 'Incorrect password'],
    ['email-already-in-use', 'An account with this email already exists'],
    ['weak-password', 'Password should be at least 6 characters'],
    ['invalid-email', 'Invalid email address'],
    ['user-disabled', 'This account has been disabled'],
    ['too-many-requests', 'Too many failed attempts. Please try again later'],
    ['network-request-failed', 'Network error. Please check your connection'],
    ['popup-closed-by-user', 'Sign-in popup was closed'],
    ['cancelled-popup-request', 'Sign-in was cancelled'],
  ])('has the message of the code %s', (code, message) => {
    expect(accountErrorMessage(code)).toBe(message)
  })

  it.each(['', 'something-new', 'toString', '__proto__', null, undefined])(
    'has one message for any other: %s',
    (code) => {
      expect(accountErrorMessage(code)).toBe('An error occurred. Please try again')
    },
  )

  it.each([
    ['wrong-password', 'password'],
    ['busy', 'form'],
    ['constructor', 'form'],
  ])('shows the error %s at the field %s', (code, field) => {
    const message = accountErrorMessage(code)

    expect(toFormErrors(code)).toEqual({ errors: { [field]: message }, banner: message })
  })

  it('names the operation that failed unexpectedly', () => {
    expect(unexpectedErrorMessages).toMatchObject({
      register: 'Registration failed',
      login: 'Login failed',
      logout: 'Logout failed',
      resetPassword: 'Password reset failed',
    })

    expect(['Google', 'Facebook'].map(providerLoginFailedMessage)).toEqual([
      'Google login failed',
      'Facebook login failed',
    ])
    expect(afterSubmitErrorMessages).toEqual({
      login: 'Login failed. Please try again.',
      register: 'Registration failed. Please try again.',
    })
    expect(resetEmailSentMessage).toBe('Password reset email sent')
  })
})
