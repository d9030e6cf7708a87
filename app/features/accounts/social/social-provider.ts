export type SocialProviderId = 'google' | 'facebook'
