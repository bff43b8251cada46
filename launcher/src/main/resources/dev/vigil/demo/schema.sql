-- The made-up bank. Every statement may run again on a database that has it all already.

-- One row: which bank this is.
CREATE TABLE IF NOT EXISTS bank (
    seed       bigint      NOT NULL,
    accounts   integer     NOT NULL,
    founded_at timestamptz NOT NULL
);

CREATE TABLE IF NOT EXISTS accounts (
    account_id   text          PRIMARY KEY,
    home_town    text          NOT NULL,
    home_country text          NOT NULL,
    opened_at    timestamptz   NOT NULL,
    credit_limit numeric(12,2) NOT NULL
);

CREATE TABLE IF NOT EXISTS cards (
    card_id    text PRIMARY KEY,
    account_id text NOT NULL REFERENCES accounts
);

CREATE TABLE IF NOT EXISTS merchants (
    merchant_id text    PRIMARY KEY,
    name        text    NOT NULL,
    category    text    NOT NULL,
    town        text    NOT NULL,
    country     text    NOT NULL,
    online      boolean NOT NULL
);

-- device_id is null in a shop; lat and lon are null online.
CREATE TABLE IF NOT EXISTS transactions (
    transaction_id bigint        PRIMARY KEY,
    account_id     text          NOT NULL REFERENCES accounts,
    card_id        text          NOT NULL REFERENCES cards,
    merchant_id    text          NOT NULL REFERENCES merchants,
    terminal_id    text          NOT NULL,
    category       text          NOT NULL,
    amount         numeric(12,2) NOT NULL,
    currency       text          NOT NULL,
    country        text          NOT NULL,
    device_id      text,
    lat            double precision,
    lon            double precision,
    created_at     timestamptz   NOT NULL
);

CREATE TABLE IF NOT EXISTS fraud_labels (
    transaction_id bigint      PRIMARY KEY REFERENCES transactions,
    account_id     text        NOT NULL,
    is_fraud       boolean     NOT NULL,
    scenario       text        NOT NULL,
    labelled_at    timestamptz NOT NULL
);

ALTER TABLE accounts REPLICA IDENTITY FULL;
ALTER TABLE cards REPLICA IDENTITY FULL;
ALTER TABLE merchants REPLICA IDENTITY FULL;
ALTER TABLE transactions REPLICA IDENTITY FULL;
ALTER TABLE fraud_labels REPLICA IDENTITY FULL;
