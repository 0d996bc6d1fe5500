import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/base.css';
import '../styles/chrome.css';
import '../styles/sidebar.css';
import '../styles/blocks.css';
import '../styles/fields.css';
import '../styles/views.css';
import '../styles/installs.css';
import '../styles/consent.css';
import { Consent } from './consent.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('consent.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Consent search={location.search} />
  </StrictMode>,
);
