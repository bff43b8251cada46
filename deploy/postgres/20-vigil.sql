-- What Vigil needs of the bank's database: a role that may replicate and read three tables, the publication of these
-- tables (only their owner can create it), and a database of its own for Iceberg's catalog. Run by psql as the owner.
\getenv vigil_password VIGIL_DB_PASSWORD

CREATE ROLE vigil LOGIN REPLICATION PASSWORD :'vigil_password';

GRANT SELECT ON accounts, transactions, fraud_labels TO vigil;

CREATE PUBLICATION vigil FOR TABLE accounts, transactions, fraud_labels
    WITH (publish = 'insert, update, delete, truncate', publish_via_partition_root = true);

CREATE DATABASE vigil_history OWNER vigil;
